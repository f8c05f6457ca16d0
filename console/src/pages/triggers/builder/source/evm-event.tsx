import { NumberInput, Stack, TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import { Details } from '../../../../components/details.tsx'
import { issueAt } from '../../../../components/issue-list.tsx'
import { notifySuccess } from '../../../../data/notices.ts'
import { LongText } from '../../../../forms/long-text.tsx'
import { suggestFor } from '../../model/abi-fields.ts'
import { type AbiItem, chosenIn, itemsInAbi, signatureOf } from '../../model/abi-items.ts'
import { type Fields, textOf } from '../../model/definition.ts'
import { type Builder, invalidTextIn } from '../state/builder-state.ts'
import { ContractField } from './contract-field.tsx'
import { ItemChoice } from './item-choice.tsx'

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
  const fill = (event: AbiItem) => {
    dispatch({ type: 'change', part: suggestFor(event, 'event') })
    notifySuccess('Filters, output, transform and message filled in.')
  }
  return (
    <>
      <ContractField
        value={spec.contract}
        onChange={(contract) => dispatch({ type: 'changeSpec', part: { contract } })}
        issues={issues}
        path="triggerSpec.contract"
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
      <ItemChoice
        noun="event"
        items={itemsInAbi(pasted, 'event').items.map((item) => ({ item, name: item.name, text: signatureOf(item) }))}
        isChosen={(event) => signatureOf(event) === chosen}
        choose={choose}
        fill={fill}
      />
      <LogFields builder={builder} issues={issues} />
    </>
  )
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

const counts = [
  [
    'topicsCount',
    'Number of topics',
    'Only logs with so many topics match. An ERC-20 Transfer has 3, an ERC-721 Transfer 4.',
  ],
  ['dataBytes', 'Bytes of data', 'Only logs with so many bytes of data match.'],
] as const

/** What else selects the logs of a trigger. The choice of an event sets these fields. */
function LogFields({ builder: { state, dispatch }, issues }: { builder: Builder; issues: Issue[] }) {
  const spec = state.definition.triggerSpec ?? {}
  return (
    <Details summary="Signature, topics and data">
      <Stack gap="sm">
        <TextInput
          label="Event"
          description="A name of the ABI, or a signature such as Transfer(address indexed from, address indexed to, uint256 value), which needs no ABI."
          value={textOf(spec.event)}
          onChange={(event) =>
            dispatch({ type: 'changeSpec', part: { event: event.currentTarget.value || undefined } })
          }
          spellCheck={false}
        />
        {counts.map(([field, label, description]) => (
          <NumberInput
            key={field}
            label={label}
            description={description}
            min={0}
            allowDecimal={false}
            value={typeof spec[field] === 'number' ? spec[field] : ''}
            onChange={(value) =>
              dispatch({ type: 'changeSpec', part: { [field]: typeof value === 'number' ? value : undefined } })
            }
            error={issueAt(issues, `triggerSpec.${field}`)}
          />
        ))}
      </Stack>
    </Details>
  )
}
