import type { EventForm } from './abi/event-decoder.ts'
import { contractsOf } from './contracts.ts'
import type { EvmLogKeys } from './match-keys.ts'
import type { EvmLogSpec } from './spec-events.ts'

/**
 * The keys under which the trigger index stores a spec. A log has the keys of at most one of them, so each log is found once.
 * An empty list means that the spec can never match.
 */
export function logKeys(spec: EvmLogSpec, forms: readonly EventForm[] | undefined): EvmLogKeys[] {
  const { topicsCount, dataBytes } = spec
  const common = { type: 'evm_log' as const, addresses: contractsOf(spec), dataBytes }
  if (!forms) return [{ ...common, topicsCount }]
  return apart(forms.filter((form) => topicsCount === undefined || form.topicsCount === topicsCount)).map(
    ({ topic0, topicsCount, inputs }) => ({
      ...common,
      topic0,
      topicsCount,
      inputs,
      ...(topic0 === undefined && { anonymous: true }),
    }),
  )
}

type Apart = Omit<EventForm, 'inputs'> & Partial<Pick<EventForm, 'inputs'>>

/** If one log fits the layouts of several events, only decoding shows which event it is and where its values are. */
function apart(forms: readonly EventForm[]): Apart[] {
  const found: Apart[] = []
  for (const form of withoutRepeats(forms)) {
    const overlapping = found.filter((each) => isOverlapping(each, form))
    const rest = found.filter((each) => !overlapping.includes(each))
    const isAny = [...overlapping, form].some(({ topic0 }) => topic0 === undefined)
    const merged = { topic0: isAny ? undefined : form.topic0, topicsCount: form.topicsCount }
    found.splice(0, found.length, ...rest, overlapping.length === 0 ? form : merged)
  }
  return found
}

function withoutRepeats(forms: readonly EventForm[]): EventForm[] {
  return [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()]
}

function isOverlapping(a: Apart, b: Apart): boolean {
  return a.topicsCount === b.topicsCount && isSameTopic(a.topic0, b.topic0)
}

function isSameTopic(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b
}
