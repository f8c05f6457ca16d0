/** How “Watch an address” looks on a kind of chain. */
import type { ReactNode } from 'react'
import type { Kind } from '../model/goal.ts'
import type { Source } from '../model/source.ts'

export type ShownProps = { source: Source; address: string }
export type AddressInputProps = {
  source: Source
  value: string
  onChange: (text: string) => void
  error: string | undefined
}

export type ChainView = {
  kind: Kind
  /** What is at an address, and what can be watched there. */
  Shown: (props: ShownProps) => ReactNode
  /** An address, as an example. */
  example?: string
  /** Replaces the field for an address. */
  Input?: (props: AddressInputProps) => ReactNode
  /** Why the text cannot be shown; undefined if it can. Without it, the text must be an address or a name. */
  issueOf?(text: string, source: Source): string | undefined
}
