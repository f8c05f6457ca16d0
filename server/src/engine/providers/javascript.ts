import { noTimeMs } from '../script/index.ts'
import { type Call, OverloadFailure, ProviderFailure } from './context.ts'
import { providerRules } from './rules.ts'

/** A script reads its whole context, so the context is part of its request. */
export const javascript = providerRules('javascript', ({ source, variables }) => ({
  call: (call) => runScript({ kind: 'provider', source, variables }, call),
  isRead: false,
  weight: 2,
  script: 'source',
  scopeOf: ({ context, values }) => [context.source, context.inputs, values],
  whyNoSecrets: 'a script cannot use secrets: use them in an http, graphql or rpc provider',
}))

type ProviderScript = {
  kind: 'provider' | 'activation'
  source: string
  variables?: Record<string, unknown> | undefined
}

/** Runs a script of a provider with the item and the results of earlier providers. */
export async function runScript(
  { kind, source, variables }: ProviderScript,
  { context, values, log }: Pick<Call, 'context' | 'values' | 'log'>,
): Promise<unknown> {
  const scope = { source: context.source, inputs: context.inputs, providers: values, variables }
  const [result] = await context.scripts.run({ kind, source }, [scope], { nowMs: context.nowMs ?? noTimeMs })
  for (const entry of result?.logs ?? []) log(entry)
  if (!result) throw new Error('the script run returned no result')
  if (result.ok) return result.value
  if (result.kind === 'overloaded') throw new OverloadFailure(result.message)
  const position = result.line === undefined ? '' : ` (line ${result.line})`
  throw new ProviderFailure(`${result.message}${position}`, result.kind === 'crash')
}
