import { ActionIcon } from '@mantine/core'
import { IconExternal } from '../../components/icons.tsx'
import { explorerLink } from './explorer-link.ts'
import type { AddressSource } from './use-sources.ts'

type ExplorerAnchorProps = {
  address: string
  /** How the page names the address. */
  name: string
  source: Pick<AddressSource, 'explorer'> | undefined
  size: number
}

/** A link to the address in the explorer of its network. Nothing if the network has no explorer. */
export function ExplorerAnchor({ address, name, source, size }: ExplorerAnchorProps) {
  const link = explorerLink(source?.explorer?.url, address)
  if (link === undefined) return null
  return (
    <ActionIcon
      component="a"
      href={link}
      target="_blank"
      rel="noopener noreferrer"
      variant="subtle"
      color="gray"
      size={size}
      aria-label={`Open ${name} in the explorer`}
    >
      <IconExternal size={15} />
    </ActionIcon>
  )
}
