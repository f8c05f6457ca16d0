import { TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import { issueAt } from '../../../../components/issue-list.tsx'
import { LongText } from '../../../../forms/long-text.tsx'
import { type Fields, textOf } from '../../model/definition.ts'
import { eventsInIdl, type IdlEvent } from '../../model/idl-events.ts'
import { type Builder, invalidTextIn } from '../state/builder-state.ts'
import { EventChoice } from './event-choice.tsx'

/** The program and the event of a Solana trigger. The user pastes an IDL and chooses an event. */
export function SolanaEvent({ builder, issues }: { builder: Builder; issues: Issue[] }) {
  const { state, dispatch } = builder
  const spec = state.definition.triggerSpec ?? {}
  const invalidText = invalidTextIn(builder, idlPath, 'IDL (Source tab)')
  const [readable, setReadable] = useState(() => textOf(spec.idl))
  const pasted = invalidText.current?.text ?? readable
  const found = eventsInIdl(pasted)
  const isChosen = ({ name }: IdlEvent, idl: Fields | undefined) =>
    name === spec.event && JSON.stringify(idl) === JSON.stringify(readText(spec.idl))
  const paste = (text: string) => {
    const { events, idl, problem } = eventsInIdl(text)
    const isStored = text.trim() === '' || events.some((event) => isChosen(event, idl))
    if (!isStored) return invalidText.set({ text, problem: problem ?? 'Choose an event of this IDL.' })
    invalidText.set(undefined)
    setReadable(text)
    if (text.trim() === '') dispatch({ type: 'changeSpec', part: { idl: undefined, event: undefined } })
  }
  return (
    <>
      <TextInput
        label="Program"
        description="The address of the program. Leave empty to watch every program."
        value={textOf(spec.programId)}
        onChange={(event) =>
          dispatch({ type: 'changeSpec', part: { programId: event.currentTarget.value || undefined } })
        }
        error={issueAt(issues, 'triggerSpec.programId')}
        spellCheck={false}
      />
      <LongText
        label="IDL"
        description="Paste the Anchor IDL of the program as JSON."
        value={pasted}
        onText={paste}
        error={invalidText.current?.problem ?? issueAt(issues, idlPath) ?? issueAt(issues, 'triggerSpec.event')}
        minRows={3}
        maxRows={10}
        isCode
      />
      <EventChoice
        events={found.events.map((event) => ({
          event,
          name: event.name,
          text: `${found.isInstructions ? 'instruction ' : ''}${event.name}(${event.fields.join(', ')})`,
        }))}
        isChosen={(event) => isChosen(event, found.idl)}
        choose={({ name }) => {
          invalidText.set(undefined)
          setReadable(pasted)
          dispatch({
            type: 'changeSpec',
            part: { event: name, idl: found.idl, ...(!spec.programId && { programId: found.programId }) },
          })
        }}
      />
    </>
  )
}

const idlPath = 'triggerSpec.idl'

/** The trigger may store the IDL as JSON text. */
function readText(idl: unknown): unknown {
  return typeof idl === 'string' ? eventsInIdl(idl).idl : idl
}
