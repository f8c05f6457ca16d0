import classes from './picture.module.css'

/** Hues with enough contrast to white letters. */
const hues = [172, 205, 250, 290, 330, 20]

/** An image that this service stores, else initials. Images of other origins are not loaded. */
export function Picture({ url, name, size = 36 }: { url: string | undefined; name: string; size?: number }) {
  const style = { width: size, height: size, fontSize: size * 0.4 }
  if (isSameOrigin(url)) return <img className={classes.picture} style={style} src={url} alt="" loading="lazy" />
  // The style sheet shows the initials. As text they would differ from the name of a button that holds the picture.
  const hue = hues[[...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % hues.length]
  return (
    <span
      className={classes.initials}
      style={{ ...style, background: `hsl(${hue} 38% 33%)` }}
      aria-hidden="true"
      data-initials={initialsOf(name)}
    />
  )
}

export function isSameOrigin(url: string | undefined): url is string {
  return url !== undefined && new URL(url, location.origin).origin === location.origin
}

function initialsOf(name: string): string {
  const words = name.split(/[\s.\-_@]+/).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}
