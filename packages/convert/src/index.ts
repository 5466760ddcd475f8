export type { GuardLanguage } from './asl/guard-condition.js';
export {
  type ConversionTarget,
  type ConvertOptions,
  convertWorkflow,
  isConverted,
  readConverted,
  TARGETS,
} from './convert.js';
export {
  EMPTY_MAP,
  findMapGaps,
  type HandlerMap,
  type HandlerPlace,
  toHandlerMap,
} from './mapping.js';
export {
  type Conversion,
  FEATURES,
  type Feature,
  type FeatureNote,
  refuseLosses,
  SUPPORT_LEVELS,
  type SupportLevel,
} from './report.js';
