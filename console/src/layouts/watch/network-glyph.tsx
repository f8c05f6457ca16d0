import { Glyph } from '../../components/patterns/glyph.tsx'
import { isSameOrigin } from '../../components/picture.tsx'
import type { Item } from '../../data/api.ts'
import { networkIcon } from './network-icons.ts'

type Source = Pick<Item<'listRuntimeSources'>, 'title' | 'kind' | 'network' | 'icon'>
type NetworkGlyphProps = {
  /** Undefined for a timer, and for a source that the reader may not see. */
  source: Source | undefined
  /** The name of what has no source, such as the title of a trigger. */
  title?: string
  size?: number
  /** The icon of a token, at the corner. */
  token?: string | undefined
}

/** The icon that a source sets, else that of its network, else its first letter in the colour of its kind. */
export function NetworkGlyph({ source, title = '', size = 32, token }: NetworkGlyphProps) {
  if (!source) return <Glyph kind="timer" title={title} size={size} token={token} />
  const icon = isSameOrigin(source.icon) ? source.icon : networkIcon(source.network)
  return <Glyph kind={source.kind} title={source.title} icon={icon} size={size} token={token} />
}
