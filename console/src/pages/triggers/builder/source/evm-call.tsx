import { TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import { issueAt } from '../../../../components/issue-list.tsx'
import { notifySuccess } from '../../../../data/notices.ts'
import { LongText } from '../../../../forms/long-text.tsx'
import { suggestFor } from '../../model/abi-fields.ts'
import { type AbiItem, chosenIn, itemsInAbi, signatureOf } from '../../model/abi-items.ts'
import { type Fields, textOf } from '../../model/definition.ts'
import type { Builder } from '../state/builder-state.ts'
import { DepthField, OutcomeField } from './call-options.tsx'
import { ContractField } from './contract-field.tsx'
import { ItemChoice } from './item-choice.tsx'

/** The contract and the function of a trigger on calls. The ABI is stored as typed until the user chooses a function. */
export function EvmCall({ builder, issues }: { builder: Builder; issues: Issue[] }) {
  const { state, dispatch } = builder
  const spec = state.definition.triggerSpec ?? {}
  const [pasted, setPasted] = useState(() => textOf(spec.abiFragment))
  const change = (part: Fields) => dispatch({ type: 'changeSpec', part })
  const chosen = spec.method === undefined ? undefined : chosenIn(spec.abiFragment, spec.method, 'function')
  const fill = (item: AbiItem) => {
    dispatch({ type: 'change', part: suggestFor(item, 'function') })
    notifySuccess('Filters, output, transform and message filled in.')
  }
  return (
    <>
      <ContractField
        value={spec.contract}
        onChange={(contract) => change({ contract })}
        issues={issues}
        path="triggerSpec.contract"
        description="Leave empty to watch calls of every contract."
      />
      <LongText
        label="ABI"
        description="JSON, or lines such as: function transfer(address to, uint256 amount)"
        value={pasted}
        onText={(text) => {
          setPasted(text)
          change({ abiFragment: text || undefined })
        }}
        error={issueAt(issues, 'triggerSpec.abiFragment')}
        minRows={3}
        maxRows={10}
        isCode
      />
      <ItemChoice
        noun="function"
        items={itemsInAbi(pasted, 'function').items.map((item) => ({ item, name: item.name, text: signatureOf(item) }))}
        isChosen={(item) => chosen !== undefined && signatureOf(item) === signatureOf(chosen)}
        choose={({ name, fragment }) => change({ method: name, abiFragment: fragment })}
        fill={fill}
      />
      <TextInput
        label="Method"
        description="A name of the ABI, a signature such as transfer(address,uint256), or a selector such as 0xa9059cbb. Leave empty for every method."
        value={textOf(spec.method)}
        onChange={(event) => change({ method: event.currentTarget.value || undefined })}
        error={issueAt(issues, 'triggerSpec.method')}
        spellCheck={false}
      />
      <OutcomeField builder={builder} issues={issues} />
      <DepthField builder={builder} issues={issues} />
    </>
  )
}
