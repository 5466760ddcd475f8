import { packageVersion } from '@alas-jssp/core/package-version';
import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
} from 'fastify-type-provider-zod';
import * as z from 'zod';
import * as commonSchemas from '../api/common.js';
import * as importSchemas from '../api/import-schemas.js';
import * as shopSchemas from '../api/shop-schemas.js';
import * as workSchemas from '../api/work-schemas.js';

type Components = Readonly<Record<string, unknown>>;

/** Adds `/openapi.json`; called before the routes that it describes are added. */
export async function addOpenApiDocument(app: FastifyInstance): Promise<void> {
  const schemaRegistry = namedSchemas();
  const nameSchemas = createJsonSchemaTransformObject({ schemaRegistry });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'alas-jssp',
        description: 'Schedules that are repaired while the shop runs: docs/how-to/serve.md.',
        version: packageVersion(),
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      // A service without tokens needs none.
      security: [{ token: [] }, {}],
    },
    transform: createJsonSchemaTransform({ schemaRegistry }),
    transformObject: (document) => {
      const named = nameSchemas(document) as { components: { schemas: Components } };
      const { components, ...rest } = named;
      const schemas = schemasInUse(JSON.stringify(rest), components.schemas);
      return { ...named, components: { ...components, schemas } } as never;
    },
  });
  app.get('/openapi.json', { config: { role: null }, schema: { hide: true } }, () => app.swagger());
}

/** The named schemas of the interface, without other schemas of this process. */
function namedSchemas(): z.core.$ZodRegistry<{ id?: string | undefined }> {
  const registry = z.registry<{ id?: string | undefined }>();
  for (const schema of Object.values({
    ...commonSchemas,
    ...importSchemas,
    ...shopSchemas,
    ...workSchemas,
  })) {
    const meta = z.globalRegistry.get(schema);
    if (meta?.id !== undefined) registry.add(schema, meta);
  }
  return registry;
}

/** The schemas that a text refers to, directly or through other schemas. */
function schemasInUse(text: string, schemas: Components): Components {
  const used = new Set<string>();
  const visit = (part: string) => {
    for (const [, name] of part.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(JSON.stringify(schemas[name]));
    }
  };
  visit(text);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}
