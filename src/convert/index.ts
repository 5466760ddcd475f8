export type { GuardLanguage } from './asl/annotations.js';
export {
  type ConversionSource,
  type ConversionTarget,
  type ConvertOptions,
  convertWorkflow,
  type ImportedWorkflow,
  type ImportOptions,
  importWorkflow,
  SOURCES,
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
