import { acceptedLanguage, type Language } from '@alas-jssp/core/languages';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the answers of this route have sentences in the language of the request. */
    isTranslated?: boolean;
  }
}

/** The language that a request asks for by `Accept-Language`; English if it asks for no supported one. */
export function languageOf({ headers }: FastifyRequest): Language {
  return acceptedLanguage(headers['accept-language']);
}

/** Adds headers that name the language of an answer and make caches keep languages apart. */
export function nameLanguages(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const { isTranslated = false } = request.routeOptions.config;
    if (!isTranslated && reply.statusCode < 400) return;
    reply.header('content-language', languageOf(request));
    reply.header('vary', 'accept-language');
  });
}
