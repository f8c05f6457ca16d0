import { Autocomplete, type MantineSize, TagsInput, Text } from '@mantine/core'
import { useApiList } from '../../data/lists.ts'
import { useCurrentWorkspace } from '../../data/workspace.ts'
import type { FieldProps } from './read-fields.ts'

/**
 * The addresses of the account's book and of the current workspace's, optionally of one type, and the alias of an address: the
 * account's own comes first.
 */
export function useAddressBook(addressType?: string) {
  const { current } = useCurrentWorkspace()
  const workspace = current?.fullname ?? ''
  const own = useApiList('listAddresses', {})
  const shared = useApiList('listWorkspaceAddresses', { workspace }, { enabled: current !== undefined })
  const book = [...own.items, ...shared.items].filter(({ type }) => addressType === undefined || type === addressType)
  const choices = [...new Set(book.map(({ address }) => address))]
  return { choices, aliasOf: (address: string) => book.find((entry) => entry.address === address)?.alias }
}

type AddressFieldProps = FieldProps & { size?: MantineSize; placeholder?: string }

/** An address: typed, or chosen from the address book. */
export function AddressField({ field, value, onChange, error, size = 'sm', placeholder }: AddressFieldProps) {
  const { choices, aliasOf } = useAddressBook(field.addressType)
  const address = typeof value === 'string' ? value : ''
  return (
    <Autocomplete
      size={size}
      placeholder={placeholder}
      label={field.title}
      description={hint(field.description, choices.length)}
      required={field.isRequired}
      error={error}
      spellCheck={false}
      data={choices}
      filter={({ options, search }) =>
        options.filter((option) => 'value' in option && `${option.value} ${aliasOf(option.value)}`.includes(search))
      }
      renderOption={({ option }) => <Choice address={option.value} alias={aliasOf(option.value)} />}
      value={address}
      onChange={(text) => onChange(text === '' ? undefined : text.trim())}
      rightSectionWidth={110}
      rightSection={aliasOf(address) === undefined ? undefined : <Text size="xs">{aliasOf(address)}</Text>}
    />
  )
}

/** A list of values. Lists of addresses offer the address book. */
export function AddressListField({ field, value, onChange, error }: FieldProps) {
  const { choices, aliasOf } = useAddressBook(field.addressType)
  const offered = field.addressType === undefined ? [] : choices
  return (
    <TagsInput
      label={field.title}
      description={hint(field.description, offered.length, 'Press Enter after each value.')}
      required={field.isRequired}
      error={error}
      data={offered}
      renderOption={({ option }) => <Choice address={option.value} alias={aliasOf(option.value)} />}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(values) => onChange(values.length === 0 ? undefined : values)}
    />
  )
}

function Choice({ address, alias }: { address: string; alias: string | undefined }) {
  return (
    <div>
      <Text size="sm" fw={550}>
        {alias}
      </Text>
      <Text size="xs" className="mono">
        {address}
      </Text>
    </div>
  )
}

function hint(description: string | undefined, known: number, more?: string): string | undefined {
  const words = [description, more, known > 0 ? 'Type to search your address book.' : undefined]
  const sentences = words.flatMap((text) => (text ? [/[.!?]$/.test(text) ? text : `${text}.`] : []))
  return sentences.join(' ') || undefined
}
