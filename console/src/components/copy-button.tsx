import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import { notifyError } from '../data/notices.ts'
import { IconCheck, IconCopy } from './icons.tsx'

const copiedMs = 2_000

type CopyButtonProps = { value: string; what: string; isWide?: boolean; size?: number | 'md' }

/** Copies a value to the clipboard. `what` names the value, such as “token”. */
export function CopyButton({ value, what, isWide = false, size = 'md' }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  const { start } = useTimeout(() => setCopied(false), copiedMs)
  const copy = async () => {
    if (!(await copyText(value)))
      return notifyError(`The browser did not allow copying. Select the ${what} and copy it manually.`)
    setCopied(true)
    start()
  }
  const label = isCopied ? 'Copied' : `Copy ${what}`
  if (isWide)
    return (
      <Button variant="default" leftSection={isCopied ? <IconCheck /> : <IconCopy />} onClick={() => void copy()}>
        {label}
      </Button>
    )
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size={size} onClick={() => void copy()} aria-label={label}>
        {isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    </Tooltip>
  )
}

/** Copies text to the clipboard. Pages loaded by plain HTTP have no `navigator.clipboard`, only `execCommand`. */
async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copyByCommand(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

function copyByCommand(text: string): boolean {
  let isCopied = false
  const handle = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    isCopied = true
  }
  document.addEventListener('copy', handle)
  document.execCommand('copy')
  document.removeEventListener('copy', handle)
  return isCopied
}
