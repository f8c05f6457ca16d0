import * as z from 'zod'
import {
  bodyField,
  common,
  Headers,
  headersField,
  type ProviderRecord,
  RenderedText,
  Retry,
  urlField,
} from './record.ts'

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be a string, a number, a boolean or null',
})

export const HttpProvider = z.object({
  ...common,
  type: z.literal('http'),
  retry: Retry.optional(),
  url: RenderedText,
  method: z.enum(['GET', 'POST', 'PUT']).optional(),
  headers: Headers,
  queryParams: z.record(z.string(), scalar).optional(),
  body: z.unknown().optional(),
})

export const http = {
  type: 'http',
  schema: HttpProvider,
  forms: [
    {
      title: 'HTTP request',
      about: 'Fetches JSON or text from a URL.',
      blank: { type: 'http', url: '' },
      fields: [
        urlField,
        { name: 'method', label: 'Method', as: 'choice', options: ['GET', 'POST', 'PUT'] },
        { name: 'queryParams', label: 'Query', as: 'json', description: 'A JSON object of strings and numbers.' },
        headersField,
        bodyField,
      ],
    },
  ],
} as const satisfies ProviderRecord
