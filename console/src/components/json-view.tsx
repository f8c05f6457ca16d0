import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import classes from './json-view.module.css'

export type JsonViewProps = {
  value: unknown
  label: string
  maxHeight?: number
  /** What to show between the quotes of a text, if not the text itself. `key` is the nearest key before it. */
  showText?: (text: string, key: string) => ReactNode
}

/** Shows a value as highlighted JSON with a copy button. */
export function JsonView({ value, label, maxHeight = 360, showText }: JsonViewProps) {
  const text = JSON.stringify(value, null, 2) ?? 'undefined'
  return (
    <div className={classes.view}>
      <div className={classes.copy}>
        <CopyButton value={text} what={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <pre tabIndex={0} style={{ maxHeight }}>
        {tokensOf(text).map((token) => (
          <span key={token.at} className={token.kind === undefined ? undefined : classes[token.kind]}>
            {showToken(token, showText)}
          </span>
        ))}
      </pre>
    </div>
  )
}

function showToken({ kind, text, key }: Token, showText: JsonViewProps['showText']): ReactNode {
  const shown = kind === 'string' && showText?.(String(JSON.parse(text)), key)
  return shown ? <>&quot;{shown}&quot;</> : text
}

type Token = { kind: 'key' | 'string' | 'number' | 'word' | undefined; text: string; at: number; key: string }
const shape = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** Longer JSON is not highlighted, because one element per token is slow. */
const colouredMax = 40_000

function tokensOf(json: string): Token[] {
  if (json.length > colouredMax) return [{ kind: undefined, text: json, at: 0, key: '' }]
  const tokens: Token[] = []
  let end = 0
  let key = ''
  for (const match of json.matchAll(shape)) {
    if (match.index > end) tokens.push({ kind: undefined, text: json.slice(end, match.index), at: end, key })
    const kind = kindOf(match)
    if (kind === 'key') key = match[1]?.slice(1, -1) ?? ''
    tokens.push({ kind, text: match[0], at: match.index, key })
    end = match.index + match[0].length
  }
  if (end < json.length) tokens.push({ kind: undefined, text: json.slice(end), at: end, key })
  return tokens
}

function kindOf(match: RegExpExecArray): Token['kind'] {
  if (match[1] !== undefined) return match[2] === undefined ? 'string' : 'key'
  return match[3] === undefined ? 'number' : 'word'
}
