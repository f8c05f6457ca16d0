import { isObject } from '../base/is-object.ts'
import { renderPlaceholders } from '../base/render-placeholders.ts'
import type { TokenDecimals } from '../conditions/index.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import { fail, type OngoingRun, type RunContext } from './run.ts'

/**
 * Reads the decimals of tokens through the trigger's own source, which caches them for good. The run fails if a node does
 * not answer. A contract that is no token, or a placeholder without a value, has no decimals.
 */
export async function readTokens(
  run: OngoingRun,
  names: readonly string[],
  context: RunContext,
): Promise<TokenDecimals> {
  const decimals = new Map<string, number | null>()
  for (const name of names) {
    try {
      decimals.set(name, await readDecimals(run, name, context))
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      run.isTransient = true
      fail(run, { path: 'conditions', message: `the decimals of ${name} could not be read: ${error.message}` })
      break
    }
  }
  return decimals
}

async function readDecimals(run: OngoingRun, name: string, { providers }: RunContext): Promise<number | null> {
  const { source, inputs, at } = run.input
  const rendered = renderPlaceholders(name, { source, inputs, providers: run.providers })
  if (!rendered.ok || typeof rendered.value !== 'string') return null
  const connection = await providers.connection(undefined)
  try {
    const token = await connection.read({ id: 'token', type: 'token_metadata', contract: rendered.value }, at)
    return isObject(token) && typeof token.decimals === 'number' ? token.decimals : null
  } catch (error) {
    // The chain answered that there is no such token.
    if (error instanceof UpstreamError && (error.kind === 'refused' || error.kind === 'bad_answer')) return null
    throw error
  }
}
