import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import { issueAt } from '../../../../components/issue-list.tsx'
import { notifySuccess } from '../../../../data/notices.ts'
import { LongText } from '../../../../forms/long-text.tsx'
import { eventsInAbi, type FoundEvent, signatureOf } from '../../model/abi-events.ts'
import { suggestFor } from '../../model/abi-fields.ts'
import { type Fields, textOf } from '../../model/definition.ts'
import { type Builder, invalidTextIn } from '../state/builder-state.ts'
import { ContractField } from './contract-field.tsx'
import { EventChoice } from './event-choice.tsx'

/** The contract and the event of an EVM trigger. The user pastes an ABI and chooses an event. */
export function EvmEvent({ builder, issues }: { builder: Builder; issues: Issue[] }) {
  const { state, dispatch } = builder
  const spec = state.definition.triggerSpec ?? {}
  const invalidText = invalidTextIn(builder, abiPath, 'ABI (Source tab)')
  const [readable, setReadable] = useState(() => textOf(spec.abiFragment))
  const pasted = invalidText.current?.text ?? readable
  const chosen = signatureIn(spec)
  const paste = (text: string) => {
    const problem = problemOf(text, chosen)
    if (problem !== undefined) return invalidText.set({ text, problem })
    invalidText.set(undefined)
    setReadable(text)
    if (text.trim() === '') dispatch({ type: 'changeSpec', part: noEvent })
  }
  const choose = (event: FoundEvent) => {
    invalidText.set(undefined)
    setReadable(pasted)
    dispatch({
      type: 'changeSpec',
      part: {
        event: event.name,
        abiFragment: event.fragment,
        topicsCount: event.parameters.filter(({ isIndexed }) => isIndexed).length + (event.isAnonymous ? 0 : 1),
        dataBytes: undefined,
      },
    })
  }
  const fill = (event: FoundEvent) => {
    dispatch({ type: 'change', part: suggestFor(event) })
    notifySuccess('Filters, output, transform and message filled in.')
  }
  return (
    <>
      <ContractField
        builder={builder}
        issues={issues}
        description="Leave empty to watch every contract that emits the event."
      />
      <LongText
        label="ABI"
        description="Paste JSON, a compiler output, or lines such as: event Transfer(address indexed from, address indexed to, uint256 value)"
        value={pasted}
        onText={paste}
        error={invalidText.current?.problem ?? issueAt(issues, abiPath) ?? issueAt(issues, 'triggerSpec.event')}
        minRows={3}
        maxRows={10}
        isCode
      />
      <EventChoice
        events={eventsInAbi(pasted).events.map((event) => ({ event, name: event.name, text: signatureOf(event) }))}
        isChosen={(event) => signatureOf(event) === chosen}
        choose={choose}
        fill={fill}
      />
    </>
  )
}

const abiPath = 'triggerSpec.abiFragment'
const noEvent = { abiFragment: undefined, event: undefined, topicsCount: undefined, dataBytes: undefined }

/** A trigger stores one event of the ABI, so a save would lose an ABI without the chosen event. */
function problemOf(text: string, chosen: string | undefined): string | undefined {
  if (text.trim() === '') return undefined
  const { events, problem } = eventsInAbi(text)
  if (problem !== undefined) return problem
  return events.some((event) => signatureOf(event) === chosen) ? undefined : 'Choose an event of this ABI.'
}

/** The signature of the event that the trigger listens to. `event` selects it if the ABI contains several. */
function signatureIn({ abiFragment, event }: Fields): string | undefined {
  const { events } = eventsInAbi(textOf(abiFragment))
  const named = events.find(({ name }) => name === event) ?? (events.length === 1 ? events[0] : undefined)
  return named && signatureOf(named)
}
