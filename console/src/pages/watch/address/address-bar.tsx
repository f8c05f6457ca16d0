import { Autocomplete, Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useApiList } from '../../../data/lists.ts'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { chainOfAddress, chainOfName } from '../../../layouts/address/address-form.ts'
import { addressIn, addressIssue } from '../model/addresses.ts'
import type { Source } from '../model/source.ts'
import { NetworkSelect } from '../questions/network-select.tsx'
import { SubjectField } from '../questions/subject-field.tsx'
import classes from './address.module.css'

type AddressBarProps = { sources: Source[]; source: Source; address?: string }

const examples = {
  evm: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48 or vitalik.eth',
  solana: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
}

/** A network and an address: pasted, from the address book, or a name. */
export function AddressBar({ sources, source: initial, address = '' }: AddressBarProps) {
  const { fullname: workspace } = useWorkspace()
  const navigate = useNavigate()
  const [source, setSource] = useState(initial)
  const [text, setText] = useState(address)
  const [issue, setIssue] = useState<string>()
  const change = (next: string) => {
    setText(addressIn(next))
    setIssue(undefined)
  }
  const show = (event: FormEvent) => {
    event.preventDefault()
    const found = issueOf(text, source)
    setIssue(found)
    if (found !== undefined) return
    void navigate({
      to: '/w/$workspace/watch/address',
      params: { workspace },
      search: { source: source.fullname, address: text },
    })
  }
  return (
    <form className={classes.bar} onSubmit={show} noValidate>
      <NetworkSelect sources={sources} value={source} onChange={setSource} />
      {source.kind === 'substrate' ? (
        <PalletField source={source} value={text} onChange={change} error={issue} />
      ) : (
        <SubjectField
          subject={{ label: 'Address', example: examples[source.kind] }}
          source={source}
          value={text}
          onChange={change}
          error={issue}
        />
      )}
      <Button type="submit" size="md">
        Show
      </Button>
    </form>
  )
}

/** On a network with names a name may stand for its address; a Substrate network is watched by its pallets too. */
function issueOf(text: string, source: Source): string | undefined {
  if (chainOfName(text)?.kind === source.kind) return undefined
  if (source.kind !== 'substrate' || chainOfAddress(text) || chainOfName(text)) return addressIssue(text, source)
  return text === '' ? 'Enter a pallet or an account.' : undefined
}

type PalletFieldProps = {
  source: Source
  value: string
  onChange: (text: string) => void
  error: string | undefined
}

/** A pallet of the chain, or an account. */
function PalletField({ source, value, onChange, error }: PalletFieldProps) {
  const pallets = useApiList('listSubstratePallets', { query: { source: source.fullname } })
  return (
    <Autocomplete
      size="md"
      label="Pallet or account"
      placeholder="Balances"
      data={pallets.items.map(({ name }) => name)}
      value={value}
      onChange={(text) => onChange(text.trim())}
      error={error ?? (pallets.error ? 'The pallets of this network cannot be read. Check the source.' : undefined)}
      required
    />
  )
}
