import type { AddressType, Issue, SpecInput } from '@tocsin/contract'
import { useState } from 'react'
import { issueAt } from '../../../../components/issue-list.tsx'
import { notifySuccess } from '../../../../data/notices.ts'
import { LongText } from '../../../../forms/long-text.tsx'
import { suggestFor } from '../../model/abi-fields.ts'
import { type AbiItem, chosenIn, itemsInAbi, signatureOf } from '../../model/abi-items.ts'
import { type Fields, textOf } from '../../model/definition.ts'
import { type Builder, invalidTextIn } from '../state/builder-state.ts'
import { ItemChoice } from './item-choice.tsx'

type AbiInputProps = {
  input: Extract<SpecInput, { as: 'abi' }>
  /** Of the addresses in the filters and outputs that the choice suggests. */
  addressType: AddressType
  builder: Builder
  issues: Issue[]
}

/** The user pastes an ABI and chooses an event or a function of it. */
export function AbiInput(props: AbiInputProps) {
  return props.input.item === 'event' ? <AbiEvent {...props} /> : <AbiFunction {...props} />
}

/** The trigger stores the chosen event alone. */
function AbiEvent({ input, addressType, builder, issues }: AbiInputProps) {
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
  const choose = (event: AbiItem) => {
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
  return (
    <>
      <LongText
        label={input.label}
        description={input.description}
        value={pasted}
        onText={paste}
        error={invalidText.current?.problem ?? issueAt(issues, abiPath) ?? issueAt(issues, 'triggerSpec.event')}
        minRows={3}
        maxRows={10}
        isCode
      />
      <ItemChoice
        noun="event"
        items={itemsInAbi(pasted, 'event').items.map((item) => ({ item, name: item.name, text: signatureOf(item) }))}
        isChosen={(event) => signatureOf(event) === chosen}
        choose={choose}
        fill={(event) => fillIn(builder, suggestFor(event, 'event', addressType))}
      />
    </>
  )
}

/** The ABI is stored as typed until the user chooses a function. */
function AbiFunction({ input, addressType, builder, issues }: AbiInputProps) {
  const { state, dispatch } = builder
  const spec = state.definition.triggerSpec ?? {}
  const [pasted, setPasted] = useState(() => textOf(spec.abiFragment))
  const change = (part: Fields) => dispatch({ type: 'changeSpec', part })
  const chosen = spec.method === undefined ? undefined : chosenIn(spec.abiFragment, spec.method, 'function')
  return (
    <>
      <LongText
        label={input.label}
        description={input.description}
        value={pasted}
        onText={(text) => {
          setPasted(text)
          change({ abiFragment: text || undefined })
        }}
        error={issueAt(issues, abiPath)}
        minRows={3}
        maxRows={10}
        isCode
      />
      <ItemChoice
        noun="function"
        items={itemsInAbi(pasted, 'function').items.map((item) => ({ item, name: item.name, text: signatureOf(item) }))}
        isChosen={(item) => chosen !== undefined && signatureOf(item) === signatureOf(chosen)}
        choose={({ name, fragment }) => change({ method: name, abiFragment: fragment })}
        fill={(item) => fillIn(builder, suggestFor(item, 'function', addressType))}
      />
    </>
  )
}

function fillIn({ dispatch }: Builder, part: ReturnType<typeof suggestFor>): void {
  dispatch({ type: 'change', part })
  notifySuccess('Filters, output, transform and message filled in.')
}

const abiPath = 'triggerSpec.abiFragment'
const noEvent = { abiFragment: undefined, event: undefined, topicsCount: undefined, dataBytes: undefined }

/** A trigger stores one event of the ABI, so a save would lose an ABI without the chosen event. */
function problemOf(text: string, chosen: string | undefined): string | undefined {
  if (text.trim() === '') return undefined
  const { items, problem } = itemsInAbi(text, 'event')
  if (problem !== undefined) return problem
  return items.some((event) => signatureOf(event) === chosen) ? undefined : 'Choose an event of this ABI.'
}

/** The signature of the event that the trigger listens to. */
function signatureIn({ abiFragment, event }: Fields): string | undefined {
  const chosen = chosenIn(abiFragment, event, 'event')
  return chosen && signatureOf(chosen)
}
