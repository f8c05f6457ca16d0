import { isSameOrigin } from '../picture.tsx'
import classes from './glyph.module.css'

type GlyphProps = {
  /** The kind of the chain, or `timer`. A kind without a colour of its own is grey. */
  kind: string
  title: string
  icon?: string | undefined
  size?: number
  /** The icon of a token, at the corner. */
  token?: string | undefined
}

/** A round mark of a network: its icon, else its first letter in the colour of its kind. Icons of other origins are not loaded. */
export function Glyph({ token, ...mark }: GlyphProps) {
  if (token === undefined) return <Mark {...mark} />
  return (
    <span className={classes.paired}>
      <Mark {...mark} />
      <img className={classes.token} src={token} alt="" loading="lazy" />
    </span>
  )
}

function Mark({ kind, title, icon, size = 32 }: Omit<GlyphProps, 'token'>) {
  const style = { width: size, height: size, fontSize: size * 0.44 }
  if (isSameOrigin(icon)) return <img className={classes.glyph} style={style} src={icon} alt="" loading="lazy" />
  return (
    // The letter is drawn by the style, so that it is no part of the text that people select and copy.
    <span
      className={classes.glyph}
      style={style}
      data-kind={kind}
      data-letter={title.charAt(0).toUpperCase()}
      aria-hidden="true"
    />
  )
}
