import { type Issue, noTestInput, TriggerSave, TriggerSpec } from '@tocsin/contract'
import type { SourceItem } from '../../engine/base/source-item.ts'
import { previewAll, previewFor } from '../../engine/destinations/index.ts'
import { expandSubscription, makeInterner } from '../../engine/fan-out/index.ts'
import { sampleTick } from '../../engine/sources/timer/timer-item.ts'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'
import { requireScope } from '../access.ts'
import { fillOwnLists } from '../condition-lists.ts'
import type { Handler } from '../handler.ts'
import { runTryOut, type TryOutScope } from '../try-out.ts'
import { readTriedBinding } from '../try-out-binding.ts'
import { requireOwnSubscription } from './find.ts'
import {
  fanOutTo,
  makeTestAlert,
  networkOfSample,
  type Result,
  type SampleOutput,
  sendToResources,
  type TestContext,
  type TestResult,
  type TestTarget,
} from './test-message.ts'

/**
 * Tests a subscription on a sample. Nothing is recorded. With `deliver` the message is really sent, marked as a test.
 */
export const testSubscription: Handler<'testSubscription'> = async (context) => {
  const { account, access, params, body, store, testLimits, now } = context
  requireScope(access, [body.deliver ? 'deliver' : 'write'])
  const { id, workspace } = await requireOwnSubscription(store, account, params.id)
  const test = async () => {
    const outcome: Result = { valid: true, issues: [], results: [], deliveries: [] }
    const targets = await findTargets(context, id)
    if (targets.length === 0) outcome.issues.push({ path: '', message: 'This subscription has no existing trigger.' })
    for (const target of targets) await testTarget(context, target, outcome)
    return { ...outcome, valid: outcome.issues.length === 0 }
  }
  return testLimits.run(account.id, now, test, workspace)
}

/** The triggers of the subscription that its account may see, each with its listener. */
async function findTargets({ store, account, body }: TestContext, id: string): Promise<TestTarget[]> {
  const saved = await store.listeners.findToTest(id)
  if (!saved) return []
  const row = body.overrides ? { ...saved, overrides: JSON.stringify(body.overrides) } : saved
  const [template] = row.template_id === null ? [] : await store.listeners.findTemplates([row.template_id])
  const targets: TestTarget[] = []
  for (const listener of expandSubscription(row, template, makeInterner())) {
    const trigger = await store.triggers.findReadable(listener.trigger, account.id)
    // The lists of a rule belong to the workspace of its template.
    const owner = 'forWorkspace' in listener.trigger ? listener.trigger.forWorkspace : listener.workspaceId
    const conditions = await fillOwnLists(store, owner, listener.conditions)
    if (trigger) targets.push({ listener: { ...listener, conditions }, trigger })
  }
  return targets
}

async function testTarget(context: TestContext, target: TestTarget, outcome: Result): Promise<void> {
  const outputs = await outputsOf(context, target, outcome)
  for (const sample of outputs) outcome.results.push(await resultOf(context, target, sample, outcome))
  const { deliver, always } = context.body
  if (outputs.length === 0 && deliver && always) await sendPlain(context, target, outcome)
}

/** Runs the trigger on its sample. A sample that does not match gives a result without an output. */
async function outputsOf(context: TestContext, target: TestTarget, outcome: Result): Promise<SampleOutput[]> {
  const { listener, trigger } = target
  const read = TriggerSave.safeParse({ ...trigger, ...trigger.definition })
  if (!read.success) {
    addIssue(outcome, target, 'the definition was saved by another version; save it again')
    return []
  }
  const conditions = await fillOwnLists(context.store, trigger.workspace_id, read.data.conditions)
  const definition = { ...read.data, conditions }
  const sample = sampleOf(context, trigger.fullname, definition)
  if (!sample) {
    addIssue(outcome, target, noTestInput)
    return []
  }
  const { deliver, always } = context.body
  const scope = await savedScope(context, trigger)
  const bound = await readTriedBinding(context, definition, sample)
  if (bound.issues.length > 0) {
    for (const { path, message } of bound.issues) addIssue(outcome, target, `${path}: ${message}`)
    return []
  }
  const item = (await bound.open(context, scope)).item(sample)
  const inputs = bound.inputs(listener.inputs)
  const { outputs, issues, kind, network } = await runTryOut(
    context,
    TriggerSpec.nullish().parse(bound.triggerSpec) ?? null,
    async (tryOut) => {
      const run = await tryOut.run(definition, { item, inputs })
      // With `always` the message of a sample that does not match is made too, so activation and conditions are left out.
      const isForced = run.kind === 'inactive' && deliver && always
      const shown = isForced
        ? await tryOut.run({ ...definition, activation: null, conditions: null }, { item, inputs })
        : run
      const outputs = shown.kind === 'output' ? shown.outputs : []
      const network = await networkOfSample(tryOut, context, target, { item, inputs, outputs })
      return { kind: run.kind, issues: shown.issues, outputs, network }
    },
    scope,
  )
  for (const { path, message } of issues) addIssue(outcome, target, [path, message].filter(Boolean).join(': '))
  if (outputs.length === 0 && kind !== 'failed') outcome.results.push(emptyResult(target, item))
  return outputs.map((output) => ({ item, inputs, output, isMatch: kind === 'output', network }))
}

/** A saved definition runs as in the live loop: with the project's secrets, whichever account subscribed. */
async function savedScope(
  { store, account }: TestContext,
  { id, workspace, project }: WholeTrigger,
): Promise<TryOutScope> {
  const owner = await store.projects.findReadable({ fullname: project }, account.id)
  return { savedTriggerId: id, workspace, isSaved: true, secretsOf: owner?.id }
}

function addIssue(outcome: Result, { trigger }: TestTarget, message: string): void {
  const issue: Issue = { path: trigger.fullname, message }
  outcome.issues.push(issue)
}

function sampleOf({ body, now }: TestContext, trigger: string, { triggerSpec }: TriggerSave): SourceItem | undefined {
  const sent = body.inputs?.[trigger] ?? body.input
  if (sent) return sent
  if (triggerSpec?.type === 'timer') return sampleTick(triggerSpec, now.getTime())
  const given = triggerSpec?.testInput
  return typeof given === 'object' && given !== null ? { ...given } : undefined
}

function emptyResult({ listener, trigger }: TestTarget, input: SourceItem): TestResult {
  const rule = listener.ruleId === '' ? {} : { rule: listener.ruleId }
  return {
    trigger: trigger.fullname,
    ...rule,
    input,
    activated: false,
    conditionsMet: false,
    raw: null,
    human: null,
    previews: [],
    channels: [],
  }
}

async function resultOf(
  context: TestContext,
  target: TestTarget,
  sample: SampleOutput,
  outcome: Result,
): Promise<TestResult> {
  const { item, output, isMatch } = sample
  const { isMet, message, severity, issues } = await fanOutTo(context, target, sample)
  for (const issue of issues) addIssue(outcome, target, issue)
  const alert = makeTestAlert(context, target, output, severity)
  if (context.body.deliver) await sendToResources(context, target, message, alert, outcome)
  return {
    ...emptyResult(target, item),
    activated: isMatch,
    conditionsMet: isMatch && isMet,
    ...output,
    message,
    severity,
    previews: target.listener.resources.map(({ fullname, blueprint }) => ({
      resource: fullname,
      blueprint,
      body: previewFor(blueprint, message, alert),
    })),
    channels: previewAll(message, alert),
  }
}

/** The sample gives no message. With `always` a plain one is sent, so that people see whether a message arrives. */
async function sendPlain(context: TestContext, target: TestTarget, outcome: Result): Promise<void> {
  const message = {
    title: `Test: ${target.trigger.meta.title}`,
    short: 'This is a test of the destination. The sample of the trigger gives no message.',
  }
  const alert = makeTestAlert(context, target, { raw: null, human: null }, 'info')
  await sendToResources(context, target, message, alert, outcome)
}
