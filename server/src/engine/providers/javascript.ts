import { type Call, ProviderFailure, type ProviderOf } from './context.ts'

export async function runJavascript(provider: ProviderOf<'javascript'>, call: Call): Promise<unknown> {
  const { context, values } = call
  const scope = { source: context.source, inputs: context.inputs, providers: values, variables: provider.variables }
  const script = { kind: 'provider' as const, source: provider.source }
  const [result] = await context.scripts.run(script, [scope], { nowMs: context.nowMs })
  for (const entry of result?.logs ?? []) call.log(entry)
  if (!result) throw new Error('a script that was run has a result')
  if (result.ok) return result.value
  const place = result.line === undefined ? '' : ` (line ${result.line})`
  const isTransient = result.kind === 'overloaded' || result.kind === 'crash'
  throw new ProviderFailure(`${result.message}${place}`, isTransient)
}
