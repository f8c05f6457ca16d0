import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { say } from '../../parts/notices.tsx'
import { eventsInAbi, type FoundEvent, signatureOf } from './abi-events.ts'
import { partsFor } from './abi-fields.ts'
import type { Builder } from './builder-state.ts'
import type { Fields } from './definition.ts'
import { EventChoice } from './event-choice.tsx'
import { textOf } from './text-of.ts'

/** The contract and the event: paste an ABI, choose one of its events. */
export function EvmEvent({ builder: { state, dispatch } }: { builder: Builder }) {
  const spec = state.definition.triggerSpec ?? {}
  const [pasted, setPasted] = useState(() => textOf(spec.abiFragment))
  const found = eventsInAbi(pasted)
  const chosen = signatureIn(spec)
  const choose = (event: FoundEvent) =>
    dispatch({
      type: 'changeSpec',
      part: {
        event: event.name,
        abiFragment: event.fragment,
        topicsCount: event.parameters.filter(({ isIndexed }) => isIndexed).length + (event.isAnonymous ? 0 : 1),
        dataBytes: undefined,
      },
    })
  const fill = (event: FoundEvent) => {
    dispatch({ type: 'change', part: partsFor(event) })
    say('Filters, output, transform and message now fit the event.')
  }
  return (
    <>
      <TextInput
        label="Contract"
        description="Empty: every contract that emits the event."
        placeholder="0x…"
        value={textOf(spec.contract)}
        onChange={(event) =>
          dispatch({ type: 'changeSpec', part: { contract: event.currentTarget.value || undefined } })
        }
        spellCheck={false}
      />
      <Textarea
        label="ABI"
        description="Paste it as JSON, a compiler's output, or lines such as: event Transfer(address indexed from, address indexed to, uint256 value)"
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
        events={found.events.map((event) => ({ event, name: event.name, text: signatureOf(event) }))}
        isChosen={(event) => signatureOf(event) === chosen}
        choose={choose}
        fill={fill}
      />
    </>
  )
}

/** The event that the trigger listens to, whichever way its ABI is written; named where the ABI holds several. */
function signatureIn({ abiFragment, event }: Fields): string | undefined {
  const { events } = eventsInAbi(textOf(abiFragment))
  const named = events.find(({ name }) => name === event) ?? (events.length === 1 ? events[0] : undefined)
  return named && signatureOf(named)
}
