import { Autocomplete, NumberInput, TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import { issueAt } from '../../../../components/issue-list.tsx'
import { LongText } from '../../../../forms/long-text.tsx'
import { type AbiItem, chosenIn, itemsInAbi, signatureOf } from '../../model/abi-items.ts'
import { type Fields, textOf } from '../../model/definition.ts'
import { ItemChoice } from './item-choice.tsx'

type FactoryFieldsProps = { factory: Fields; onChange: (factory: Fields) => void; issues: Issue[]; path: string }

/** The contracts that a factory creates: the factory, its event, and the parameter that names the new contract. */
export function FactoryFields({ factory, onChange, issues, path }: FactoryFieldsProps) {
  const [pasted, setPasted] = useState(() => textOf(factory.abiFragment))
  const put = (part: Fields) => onChange({ ...factory, ...part })
  const chosen = chosenIn(factory.abiFragment, factory.event, 'event')
  const addresses = addressesOf(chosen)
  const paste = (text: string) => {
    setPasted(text)
    put({ abiFragment: text })
  }
  const choose = (event: AbiItem) =>
    put({ event: event.name, abiFragment: event.fragment, parameter: addressesOf(event)[0] ?? '' })
  return (
    <>
      <TextInput
        label="Factory"
        description="The address of the contract that creates the contracts."
        placeholder="0x…"
        value={textOf(factory.contract)}
        onChange={(event) => put({ contract: event.currentTarget.value })}
        error={issueAt(issues, `${path}.contract`)}
        spellCheck={false}
      />
      <LongText
        label="ABI of the factory"
        description="Paste JSON or a line such as: event PairCreated(address indexed token0, address indexed token1, address pair, uint256)"
        value={pasted}
        onText={paste}
        error={issueAt(issues, `${path}.abiFragment`) ?? issueAt(issues, `${path}.event`)}
        minRows={2}
        maxRows={10}
        isCode
      />
      <ItemChoice
        noun="event"
        items={itemsInAbi(pasted, 'event').items.map((item) => ({ item, name: item.name, text: signatureOf(item) }))}
        isChosen={(item) => chosen !== undefined && factory.event !== '' && signatureOf(item) === signatureOf(chosen)}
        choose={choose}
      />
      <Autocomplete
        label="Parameter"
        description="The parameter of the event that holds the address of the new contract."
        data={addresses}
        value={textOf(factory.parameter)}
        onChange={(parameter) => put({ parameter })}
        error={issueAt(issues, `${path}.parameter`)}
        spellCheck={false}
      />
      <NumberInput
        label="From block"
        description="Contracts that were created earlier do not count. Leave empty for the block of the save."
        min={0}
        allowDecimal={false}
        value={typeof factory.fromBlock === 'number' ? factory.fromBlock : ''}
        onChange={(fromBlock) => put({ fromBlock: typeof fromBlock === 'number' ? fromBlock : undefined })}
        error={issueAt(issues, `${path}.fromBlock`)}
      />
    </>
  )
}

function addressesOf(event: AbiItem | undefined): string[] {
  return (event?.parameters ?? []).filter(({ type }) => type === 'address').map(({ name }) => name)
}
