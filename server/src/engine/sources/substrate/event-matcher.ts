import type { TriggerSpec } from '@tocsin/contract'
import type { Matcher } from '../block.ts'
import { issuesOfNames, requireEvents } from './contents.ts'
import { foldName } from './names.ts'

export type SubstrateEventSpec = Extract<TriggerSpec, { type: 'substrate_event' }>

/** Matches by pallet and event. A field that the spec omits matches every event. */
export function eventMatcher({ pallet, event }: Pick<SubstrateEventSpec, 'pallet' | 'event'>): Matcher {
  const isPallet = nameTest(pallet)
  const isEvent = nameTest(event)
  return {
    neededParts: [],
    issuesIn: (block) => issuesOfNames(block, { pallet, event }),
    match: (block) => requireEvents(block).filter((each) => isPallet(each.pallet) && isEvent(each.event)),
  }
}

function nameTest(wanted: string | undefined): (name: string) => boolean {
  if (wanted === undefined) return () => true
  const folded = foldName(wanted)
  return (name) => foldName(name) === folded
}
