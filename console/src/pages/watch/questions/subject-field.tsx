import { Button, Group, TextInput } from '@mantine/core'
import { chainOf } from '../../../data/chains.ts'
import { AddressField } from '../../../forms/value-form/address-field.tsx'
import { feedsOf } from '../model/feeds.ts'
import type { Subject } from '../model/goal.ts'
import type { Source } from '../model/source.ts'

type SubjectFieldProps = {
  subject: Subject
  source: Source
  /** Offers well-known price feeds. */
  hasFeeds?: boolean
  value: string
  onChange: (text: string) => void
  error: string | undefined
}

/** The address, or the name, of what is watched. Addresses come from the address book too. */
export function SubjectField({ subject, source, hasFeeds = false, value, onChange, error }: SubjectFieldProps) {
  const { label, description, isName, isOptional, example } = subject
  if (isName)
    return (
      <TextInput
        size="md"
        label={label}
        placeholder={example}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
        error={error}
        required
      />
    )
  return (
    <>
      {hasFeeds && <Feeds network={source.network} value={value} onChange={onChange} />}
      <AddressField
        size="md"
        field={{
          ...{ name: 'subject', title: label, description, kind: 'address', choices: [], initial: undefined },
          isRequired: isOptional !== true,
          addressType: chainOf(source.kind)?.address.type,
        }}
        value={value}
        onChange={(text) => onChange(typeof text === 'string' ? text : '')}
        error={error}
        placeholder={example}
      />
    </>
  )
}

type FeedsProps = { network: string; value: string; onChange: (address: string) => void }

function Feeds({ network, value, onChange }: FeedsProps) {
  const feeds = feedsOf(network)
  if (feeds.length === 0) return null
  return (
    <Group gap="xs" role="group" aria-label="Known price feeds">
      {feeds.map(({ title, address }) => (
        <Button
          key={address}
          size="xs"
          radius="xl"
          variant={value === address ? 'filled' : 'default'}
          aria-pressed={value === address}
          onClick={() => onChange(address)}
        >
          {title}
        </Button>
      ))}
    </Group>
  )
}
