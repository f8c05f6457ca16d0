import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { chainOf } from '../../../data/chains.ts'
import { useWorkspace } from '../../../data/workspace.ts'
import { chainOfName } from '../../../layouts/address/address-form.ts'
import { addressIn, addressIssue } from '../model/addresses.ts'
import type { Source } from '../model/source.ts'
import { NetworkSelect } from '../questions/network-select.tsx'
import { SubjectField } from '../questions/subject-field.tsx'
import classes from './address.module.css'
import { viewOf } from './chain-views.ts'

type AddressBarProps = { sources: Source[]; source: Source; address?: string }

/** A network and an address: pasted, from the address book, or a name. */
export function AddressBar({ sources, source: initial, address = '' }: AddressBarProps) {
  const { fullname: workspace } = useWorkspace()
  const navigate = useNavigate()
  const [source, setSource] = useState(initial)
  const [text, setText] = useState(address)
  const [issue, setIssue] = useState<string>()
  const { Input, example } = viewOf(source.kind) ?? {}
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
      {Input ? (
        <Input source={source} value={text} onChange={change} error={issue} />
      ) : (
        <SubjectField
          subject={{ label: 'Address', example: example ?? chainOf(source.kind)?.address.example ?? '' }}
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

/** On a network with names a name may stand for its address. */
function issueOf(text: string, source: Source): string | undefined {
  const view = viewOf(source.kind)
  if (view?.issueOf) return view.issueOf(text, source)
  return chainOfName(text)?.kind === source.kind ? undefined : addressIssue(text, source)
}
