import type { ReactNode } from 'react'
import { type Icon, IconCheck, IconInfo, IconKey, IconWarning } from './first-icons.tsx'
import classes from './notice.module.css'

type Tone = 'bad' | 'warn' | 'good' | 'info' | 'secret'
const icons: Record<Tone, Icon> = {
  bad: IconWarning,
  warn: IconWarning,
  good: IconCheck,
  info: IconInfo,
  secret: IconKey,
}

/** A message box. Screen readers announce tone `bad` immediately. */
export function Notice({ tone, title, children }: { tone: Tone; title: string; children?: ReactNode }) {
  const Icon = icons[tone]
  return (
    <div className={classes.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <span className={classes.icon}>
        <Icon size={20} />
      </span>
      <div className={classes.body}>
        <strong>{title}</strong>
        {children}
      </div>
    </div>
  )
}
