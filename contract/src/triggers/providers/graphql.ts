import * as z from 'zod'
import {
  common,
  Headers,
  headersField,
  type ProviderRecord,
  RenderedText,
  Retry,
  urlField,
  Variables,
  variablesField,
} from './record.ts'

export const GraphqlProvider = z.object({
  ...common,
  type: z.literal('graphql'),
  retry: Retry.optional(),
  url: RenderedText,
  query: z.string().min(1),
  headers: Headers,
  variables: Variables,
})

export const graphql = {
  type: 'graphql',
  schema: GraphqlProvider,
  forms: [
    {
      title: 'GraphQL query',
      about: 'Sends a query to a GraphQL endpoint and returns its data.',
      blank: { type: 'graphql', url: '', query: '' },
      fields: [
        urlField,
        { name: 'query', label: 'Query', as: 'area', placeholder: '{ pools { id } }' },
        variablesField,
        headersField,
      ],
    },
  ],
} as const satisfies ProviderRecord
