import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { addressIssue, formOf } from '../model/addresses.ts'
import type { Source } from '../model/source.ts'
import { NetworkSelect } from '../questions/network-select.tsx'
import { SubjectField } from '../questions/subject-field.tsx'
import classes from './address.module.css'

type AddressBarProps = { sources: Source[]; source: Source; address?: string }

const examples: Record<Source['kind'], string> = {
  evm: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48 or vitalik.eth',
  substrate: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
  solana: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
}

/** A network and an address: pasted, from the address book, or a name. */
export function AddressBar({ sources, source: initial, address = '' }: AddressBarProps) {
  const { fullname: workspace } = useWorkspace()
  const navigate = useNavigate()
  const [source, setSource] = useState(initial)
  const [text, setText] = useState(address)
  const [issue, setIssue] = useState<string>()
  const show = (event: FormEvent) => {
    event.preventDefault()
    const isName = source.kind === 'evm' && formOf(text) === 'ens'
    const found = isName ? undefined : addressIssue(text, source)
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
      <SubjectField
        subject={{ label: 'Address', example: examples[source.kind] }}
        source={source}
        value={text}
        onChange={(next) => {
          setText(next)
          setIssue(undefined)
        }}
        error={issue}
      />
      <Button type="submit" size="md">
        Show
      </Button>
    </form>
  )
}
