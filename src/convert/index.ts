export type { GuardLanguage } from './asl/guard-condition.js';
export {
  type ConversionTarget,
  type ConvertOptions,
  convertWorkflow,
  readConverted,
  TARGETS,
} from './convert.js';
export { type HandlerMap, type HandlerPlace, toHandlerMap } from './mapping.js';
export {
  type Conversion,
  FEATURES,
  type Feature,
  type FeatureNote,
  SUPPORT_LEVELS,
  type SupportLevel,
} from './report.js';
