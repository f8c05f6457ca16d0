import type { Issue, RouteName, TriggerSpec } from '@tocsin/contract'
import { isObject } from '../../../engine/base/is-object.ts'
import { warnOfSpec } from '../../../engine/check/index.ts'
import { readSpecInTurn } from '../../../engine/threads/index.ts'
import type { Context, Handler } from '../../handler.ts'
import { requireTryOutScope, runTryOut, type TryOutScope } from '../../try-out.ts'
import { readTriedBinding } from '../../try-out-binding.ts'
import { requireReadableSources } from '../sources.ts'
import { invalid, outcome } from './answers.ts'
import { readTrigger } from './definition.ts'
import { type Found, findSample } from './sample.ts'

/** Runs activation and transforms on a given input. Providers are checked but not called; their values are given. */
export const previewTrigger: Handler<'previewTrigger'> = async (context) => {
  const { body } = context
  await requireReadableSources(context, { providers: body.providers })
  const scope = await requireTryOutScope(context.store, context.account, body.project)
  return limited(context, scope, async () => {
    const bound = await readTriedBinding(context, body, body.input)
    const trigger = await readTrigger(body, context.settings.limits, context)
    if (!trigger.ok || bound.issues.length > 0) return invalid([...bound.issues, ...(trigger.ok ? [] : trigger.issues)])
    if (!isObject(body.input)) return invalid([{ path: 'input', message: 'must be an object, like source items' }])
    const item = (await bound.open(context)).item(body.input)
    const sample = { item, inputs: bound.inputs(body.inputs), providersData: body.providersData ?? {} }
    return runTryOut(context, null, async (tryOut) => outcome(await tryOut.run(trigger.value, sample)), scope)
  })
}

/** Runs the whole definition on a sample: the given one, one from the source, or the spec's testInput. */
export const testTrigger: Handler<'testTrigger'> = async (context) => {
  const { body } = context
  const given = body.input ?? (body.test === undefined ? body.triggerSpec?.testInput : undefined)
  return testOn(context, given, async (sampling) => {
    if (given === undefined) return sampling(body.test ?? {})
    if (!isObject(given))
      return { ok: false, issues: [{ path: 'input', message: 'must be an object, like source items' }] }
    return { ok: true, item: given, count: 1 }
  })
}

export const testTriggerBlock: Handler<'testTriggerBlock'> = async (context) => {
  const { block, itemIndex } = context.body
  return testOn(context, undefined, (sampling) => sampling({ block, itemIndex }))
}

type Testing = Context<'testTrigger'> | Context<'testTriggerBlock'>
type Sampling = (where: Parameters<typeof findSample>[3]) => Promise<Found>

/** `given` is the sample that the caller sent, if any. */
async function testOn(context: Testing, given: unknown, find: (sampling: Sampling) => Promise<Found>) {
  const { body, account, engine, settings } = context
  const bound = await readTriedBinding(context, body, given)
  const triggerSpec = bound.triggerSpec ?? null
  await requireReadableSources(context, { ...body, triggerSpec })
  const scope = await requireTryOutScope(context.store, context.account, body.project)
  return limited(context, scope, async () => {
    const [spec, trigger] = await Promise.all([
      readSpecInTurn(account.id, triggerSpec),
      readTrigger(body, settings.limits, context),
    ])
    const issues = [...(spec.ok ? [] : spec.issues), ...bound.issues, ...(trigger.ok ? [] : trigger.issues)]
    if (!spec.ok || !trigger.ok || issues.length > 0) return invalid(issues)
    return runTryOut(
      context,
      spec.value,
      async (tryOut) => {
        const found = await find((where) => findSample(tryOut, engine, spec.value, where))
        if (!found.ok) return invalid(found.issues, found.count === undefined ? {} : { sourceEventsCount: found.count })
        const item = (await bound.open(context)).item(found.item)
        const run = await tryOut.run(trigger.value, { item, inputs: bound.inputs(body.inputs) })
        const answer = outcome(run, { input: item, sourceEventsCount: found.count })
        return { ...answer, issues: [...(await warningsOf(spec.value)), ...answer.issues] }
      },
      scope,
    )
  })
}

/** A test that succeeds still reports the warning of the definition, as a save does. */
async function warningsOf(spec: TriggerSpec): Promise<Issue[]> {
  const warning = await warnOfSpec(spec, 'triggerSpec')
  return warning ? [{ path: warning.path, message: warning.message }] : []
}

/** Applies the limits on tests of the account and the workspace. */
export function limited<Name extends RouteName, T>(
  { account, testLimits, now }: Pick<Context<Name>, 'testLimits' | 'now'> & { account: { id: string } },
  { charged }: TryOutScope,
  work: () => Promise<T>,
): Promise<T> {
  return testLimits.run(account.id, now, work, charged)
}
