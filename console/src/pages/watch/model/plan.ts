import { type Policy, TriggerSpec } from '@tocsin/contract'
import { shortAddress } from '../../../layouts/address/address-form.ts'
import type { NewTrigger } from '../../../layouts/new-trigger.ts'
import type { Answers, Choice, Part } from './goal.ts'
import type { CoreAction } from './source.ts'

/** A trigger to create and what its subscription sets. */
export type Watch = {
  title: string
  trigger: Omit<NewTrigger, 'project' | 'workspace'>
  inputs: Record<string, unknown>
  policy: Policy
}

/** The triggers and subscriptions that the answers describe. */
export function planWatches(choice: Choice, answers: Answers, actions: readonly CoreAction[]): Watch[] {
  return choice.parts(answers).map((part) => {
    const action = actions.find(({ type }) => type === part.action)
    if (!action) throw new Error(`The service has no core action ${part.action}.`)
    return watchOf(part, action, answers)
  })
}

/** What the watches of a choice cannot see. Each sentence comes once. */
export function notSeenBy(choice: Choice, answers: Answers, actions: readonly CoreAction[]): string[] {
  const types = choice.parts(answers).map(({ action }) => action)
  return [...new Set(actions.filter(({ type }) => types.includes(type)).flatMap(({ notSeen }) => notSeen))]
}

function watchOf(part: Part, action: CoreAction, { source, subject }: Answers): Watch {
  const { inputs, filtersSchema, providers, outputSchema, transform, defaults, description } = action
  const title = `${subject === '' ? source.title : nameOf(subject)}: ${part.what}`
  return {
    title,
    trigger: {
      ...{ inputs, filtersSchema, outputSchema },
      // A timer has no source, so the providers of its actions name one. They read the network that the user chose.
      ...(providers && {
        providers: providers.map((each) =>
          'source' in each && each.type !== 'javascript' && each.source !== undefined
            ? { ...each, source: source.fullname }
            : each,
        ),
      }),
      ...(transform && { transform }),
      ...(defaults && { defaults }),
      ...(part.conditions && part.conditions.length > 0 && { conditions: { all: part.conditions } }),
      triggerSpec: TriggerSpec.parse({ ...action.triggerSpec, ...part.spec, dataSource: source.fullname }),
      backend: { type: 'sdk' },
      meta: { title, description },
    },
    inputs: part.inputs ?? {},
    policy: part.policy ?? null,
  }
}

/** An address is shortened; the name of a pallet stays. */
export function nameOf(subject: string): string {
  return subject.length > 30 ? shortAddress(subject) : subject
}
