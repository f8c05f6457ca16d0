import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Builder } from './builder-state.ts'
import { EventChoice } from './event-choice.tsx'
import { eventsInIdl } from './idl-events.ts'
import { textOf } from './text-of.ts'

/** The program and the event: paste its IDL, choose one of its events. */
export function SolanaEvent({ builder: { state, dispatch } }: { builder: Builder }) {
  const spec = state.definition.triggerSpec ?? {}
  const [pasted, setPasted] = useState(() => textOf(spec.idl))
  const found = eventsInIdl(pasted)
  return (
    <>
      <TextInput
        label="Program"
        description="Its address; empty means every program."
        value={textOf(spec.programId)}
        onChange={(event) =>
          dispatch({ type: 'changeSpec', part: { programId: event.currentTarget.value || undefined } })
        }
        spellCheck={false}
      />
      <Textarea
        label="IDL"
        description="Paste the program's Anchor IDL as JSON."
        value={pasted}
        onChange={(event) => setPasted(event.currentTarget.value)}
        error={found.problem}
        autosize
        minRows={3}
        maxRows={10}
        spellCheck={false}
        classNames={{ input: 'mono' }}
      />
      <EventChoice
        events={found.events.map((event) => ({
          event,
          name: event.name,
          text: `${found.isInstructions ? 'instruction ' : ''}${event.name}(${event.fields.join(', ')})`,
        }))}
        isChosen={({ name }) => name === spec.event && JSON.stringify(found.idl) === JSON.stringify(readText(spec.idl))}
        choose={({ name }) =>
          dispatch({
            type: 'changeSpec',
            part: { event: name, idl: found.idl, ...(!spec.programId && { programId: found.programId }) },
          })
        }
      />
    </>
  )
}

/** An IDL may be kept as JSON text too. */
function readText(idl: unknown): unknown {
  return typeof idl === 'string' ? eventsInIdl(idl).idl : idl
}
