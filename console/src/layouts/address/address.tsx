import { ActionIcon, Group, Text } from '@mantine/core'
import { CopyButton } from '../../components/copy-button.tsx'
import { IconExternal } from '../../components/icons.tsx'
import type { Item } from '../../data/api.ts'
import { explorerLink } from './explorer-link.ts'

type AddressProps = {
  address: string
  /** From the address book, a known contract or ENS; see `useAddressNames`. */
  name?: string | undefined
  source: Pick<Item<'listRuntimeSources'>, 'explorer'>
}

/** An address by its name, else shortened, with a copy button and a link to the explorer of its network. */
export function Address({ address, name, source }: AddressProps) {
  const link = explorerLink(source.explorer?.url, address)
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <Text span title={address} {...(name === undefined && { className: 'mono' })}>
        {name ?? `${address.slice(0, 6)}…${address.slice(-4)}`}
      </Text>
      <CopyButton value={address} what="address" />
      {link !== undefined && (
        <ActionIcon
          component="a"
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          variant="subtle"
          color="gray"
          aria-label={`Open ${name ?? address} in the explorer`}
        >
          <IconExternal size={15} />
        </ActionIcon>
      )}
    </Group>
  )
}
