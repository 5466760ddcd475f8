export { type Cassette, cassetteSchema } from './models/cassette.js';
export type { Model, ModelRequest } from './models/model.js';
export {
  capabilityOf,
  catalogueSchema,
  type Mapping,
  mappingSchema,
  TOOLS_SCHEMA,
  type Tool,
  type ToolCatalogue,
  toolSchema,
  type ValueSource,
  valueSource,
} from './tools/tool.js';
export type { ToolCall, Toolset } from './tools/toolset.js';
