import { CopyButton } from './copy-button.tsx'
import classes from './json-view.module.css'

/** Shows a value as highlighted JSON with a copy button. */
export function JsonView({ value, label, maxHeight = 360 }: { value: unknown; label: string; maxHeight?: number }) {
  const text = JSON.stringify(value, null, 2) ?? 'undefined'
  return (
    <div className={classes.view}>
      <div className={classes.copy}>
        <CopyButton value={text} what={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <pre tabIndex={0} style={{ maxHeight }}>
        {tokensOf(text).map(({ kind, text, at }) => (
          <span key={at} className={kind === undefined ? undefined : classes[kind]}>
            {text}
          </span>
        ))}
      </pre>
    </div>
  )
}

type Token = { kind: 'key' | 'string' | 'number' | 'word' | undefined; text: string; at: number }
const shape = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** Longer JSON is not highlighted, because one element per token is slow. */
const colouredMax = 40_000

function tokensOf(json: string): Token[] {
  if (json.length > colouredMax) return [{ kind: undefined, text: json, at: 0 }]
  const tokens: Token[] = []
  let end = 0
  for (const match of json.matchAll(shape)) {
    if (match.index > end) tokens.push({ kind: undefined, text: json.slice(end, match.index), at: end })
    tokens.push({ kind: kindOf(match), text: match[0], at: match.index })
    end = match.index + match[0].length
  }
  if (end < json.length) tokens.push({ kind: undefined, text: json.slice(end), at: end })
  return tokens
}

function kindOf(match: RegExpExecArray): Token['kind'] {
  if (match[1] !== undefined) return match[2] === undefined ? 'string' : 'key'
  return match[3] === undefined ? 'number' : 'word'
}
