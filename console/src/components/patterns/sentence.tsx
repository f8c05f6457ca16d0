import type { ReactNode } from 'react'
import classes from './sentence.module.css'

/** A definition in one sentence: “When a transfer exceeds 1,000 USDC on Ethereum, send to Ops webhook, every time.” */
export function Sentence({ children }: { children: ReactNode }) {
  return <p className={classes.sentence}>{children}</p>
}

/** A value inside a sentence that the reader can change or should notice. */
export function SentenceValue({ children }: { children: ReactNode }) {
  return <strong className={classes.value}>{children}</strong>
}
