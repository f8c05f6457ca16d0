import * as z from 'zod'
import { FieldSchema } from '../schemas.ts'
import { ScriptSource } from '../scripts.ts'

/** What a provider says of itself: its schema and its forms. The console and the documents read it. */
export type ProviderRecord = {
  type: string
  schema: z.ZodType
  /** Most providers have one form; the two transports of `rpc` have one each. */
  forms: readonly ProviderForm[]
  /** Set if it reads a chain: the fields that everybody may see. The others may hold keys. */
  chainFields?: readonly string[]
}

/** How the builder shows a provider. `blank` is what a new one has. */
export type ProviderForm = {
  title: string
  about: string
  blank: Readonly<Record<string, unknown>>
  fields: readonly ProviderField[]
  /** Set if the provider has several forms: which of them it has. */
  isFor?(provider: Readonly<Record<string, unknown>>): boolean
}

/** The input of one field. `kind` is the chain of the sources that can be chosen; all chains if absent. */
export type ProviderField = { name: string; label: string; description?: string; placeholder?: string } & (
  | { as: 'text' | 'area' | 'number' | 'json' | 'code' | 'abi' }
  | { as: 'choice' | 'choices'; options: readonly string[] }
  | { as: 'source'; kind?: 'evm' | 'substrate' | 'solana' }
)

/** The fields that every provider has. */
export const common = {
  id: z.string().min(1),
  weight: z.number().min(0).max(1000).optional(),
  timeoutMs: z.number().int().min(1).max(10_000).optional(),
  outputSchema: FieldSchema.optional(),
  /** True if a failure gives null and does not fail the run. */
  optional: z.boolean().optional(),
  /** JavaScript over source, inputs and earlier providers. A falsy value skips the provider; its result is then null. */
  runIf: ScriptSource.optional(),
  /** Runs of the trigger share a result for this time. `key` is a template; without it the rendered request is the key. */
  cache: z
    .object({ ttlMs: z.number().int().min(1).max(3_600_000), key: z.string().min(1).max(1024).optional() })
    .optional(),
}

/**
 * Repeats a request whose answer is not there yet. The run waits in the store between two attempts. `attempts` counts the
 * first one too. `until` names a value of the result that must be present, or equal to `equals`.
 */
export const Retry = z
  .object({
    attempts: z.number().int().min(1).max(20),
    delayMs: z.number().int().min(250).max(60_000),
    backoff: z.enum(['fixed', 'linear', 'exponential']),
    maxDelayMs: z.number().int().min(250).max(3_600_000).optional(),
    maxElapsedMs: z.number().int().min(250).max(86_400_000).optional(),
    retryOn: z
      .array(z.enum(['empty_array', 'missing_path', 'http_error']))
      .max(3)
      .optional(),
    until: z.object({ path: z.string().min(1).max(256), equals: z.unknown().optional() }).optional(),
    exhausted: z.enum(['continue', 'fail']).optional(),
  })
  .refine(({ retryOn = [], until }) => until !== undefined || retryOn.length > 0, {
    path: ['retryOn'],
    error: 'must name at least one reason if there is no until',
  })
export type Retry = z.output<typeof Retry>

/** A text with placeholders. */
export const RenderedText = z.string().min(1)
/** Another source than the trigger's own. */
export const Source = z.string().min(1).optional()
export const Headers = z.record(z.string(), z.string()).optional()
export const Variables = z.record(z.string(), z.unknown()).optional()

export const urlField = {
  name: 'url',
  label: 'URL',
  as: 'text',
  placeholder: 'https://api.example.org/{{source.params.to}}',
} as const satisfies ProviderField
export const headersField = {
  name: 'headers',
  label: 'Headers',
  as: 'json',
  description: 'A JSON object of strings. Only the workspace can see it.',
} as const satisfies ProviderField
export const variablesField = {
  name: 'variables',
  label: 'Variables',
  as: 'json',
  description: 'A JSON object. Placeholders are allowed.',
} as const satisfies ProviderField
export const bodyField = { name: 'body', label: 'Body', as: 'json' } as const satisfies ProviderField
export const argsField = {
  name: 'args',
  label: 'Arguments',
  as: 'json',
  description: 'A JSON array.',
} as const satisfies ProviderField
