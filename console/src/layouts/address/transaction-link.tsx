import { Anchor } from '@mantine/core'
import { CopyButton } from '../../components/copy-button.tsx'
import { isObject } from '../../forms/json.ts'
import classes from './address.module.css'
import { shortAddress } from './address-form.ts'
import { explorerLink } from './explorer-link.ts'
import type { AddressSource } from './use-sources.ts'

type Seen = { item: unknown; block?: { hash: string } | undefined }

/** The hash of the transaction that an item is from. A block, a timer and most items of Substrate have none. */
export function transactionOf({ item, block }: Seen): string | undefined {
  if (!isObject(item)) return undefined
  const { transaction } = item
  const signature = isObject(transaction) ? transaction.signature : undefined
  const hashes = [item.transactionHash, signature, item.hash]
  return hashes.find((hash): hash is string => typeof hash === 'string' && hash !== block?.hash)
}

/** A transaction by its short hash, as a link to the explorer if its network has one. */
export function TransactionLink({ hash, source }: { hash: string; source: AddressSource | undefined }) {
  const link = explorerLink(source?.explorer?.url, hash, 'tx')
  const shown = shortAddress(hash)
  return (
    <span className={classes.address} title={hash}>
      {link === undefined ? (
        <span className="mono">{shown}</span>
      ) : (
        <Anchor href={link} target="_blank" rel="noopener noreferrer" className="mono">
          {shown}
        </Anchor>
      )}
      <CopyButton value={hash} what="transaction hash" size={24} />
    </span>
  )
}
