import type { Condition } from '@tocsin/contract'
import { makePauses } from '../base/event-loop-turns.ts'
import { isObject } from '../base/json.ts'
import { renderPlaceholders } from '../base/placeholders.ts'
import { OverBudget } from '../conditions/budget.ts'
import type { TokenDecimals, Truth } from '../conditions/predicate.ts'
import {
  compileEarlyTriggerFilter,
  compileTriggerConditions,
  explainConditions,
  tokensIn,
} from '../conditions/trigger-conditions.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import { forEachRun, hasStateWindow } from './collect.ts'
import { fail, type OngoingRun, type RunContext, type RunnableTrigger } from './run.ts'

/**
 * Ends runs whose source item shows that the conditions cannot hold, before their providers run. A state window needs all
 * items, as it does without conditions.
 */
export function dropEarly(runs: OngoingRun[], trigger: RunnableTrigger, { explainsConditions }: RunContext): void {
  const { conditions } = trigger
  if (!conditions || explainsConditions || hasStateWindow(trigger)) return
  for (const run of runs) if (!compileEarlyTriggerFilter(conditions, run.input.inputs)(run.input.source)) end(run)
}

/** Ends runs whose conditions do not hold. Tokens are read only for runs that the other values do not decide. */
export async function requireConditions(
  runs: OngoingRun[],
  trigger: RunnableTrigger,
  context: RunContext,
): Promise<void> {
  const { conditions } = trigger
  if (!conditions) return
  const pause = makePauses()
  await forEachRun(runs, trigger, async (run) => {
    await pause()
    await requireFor(run, conditions, context)
  })
}

async function requireFor(run: OngoingRun, conditions: Condition, context: RunContext): Promise<void> {
  const { source, inputs, providersData } = run.input
  const values = { source, inputs, providers: run.providers }
  const evaluate = compileTriggerConditions(conditions, inputs)
  let truth = evaluateFor(run, () => evaluate(values))
  if (run.kind) return
  let tokens: TokenDecimals | undefined
  // A preview calls no provider and reads no token.
  const needsTokens = truth === undefined || context.explainsConditions
  if (needsTokens && !providersData) {
    tokens = await readTokens(run, tokensIn(conditions), context)
    if (run.kind) return
    truth = evaluateFor(run, () => evaluate(values, tokens))
    if (run.kind) return
  }
  if (context.explainsConditions) run.debug.conditions = explainConditions(conditions, { values, tokens })
  run.debug.activated = truth !== false
  if (truth === false) end(run)
}

/** The same run costs the same again, so it fails for good. */
function evaluateFor(run: OngoingRun, evaluate: () => Truth): Truth {
  try {
    return evaluate()
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    fail(run, { path: 'conditions', message: error.message })
    return false
  }
}

function end(run: OngoingRun): void {
  run.debug.activated = false
  run.kind = 'inactive'
}

/**
 * Reads the decimals of tokens through the trigger's own source, which caches them for good. The run fails if a node does
 * not answer. A contract that is no token, or a placeholder without a value, has no decimals.
 */
async function readTokens(run: OngoingRun, names: readonly string[], context: RunContext): Promise<TokenDecimals> {
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
