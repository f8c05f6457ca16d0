import { LinkText } from '../components/link-text.tsx'

/** A trigger by its name; one of this workspace can be opened from it. */
export function TriggerName({ workspace, trigger }: { workspace: string; trigger: string }) {
  if (!trigger.startsWith(`${workspace}.`)) return <span className="mono">{trigger}</span>
  return (
    <LinkText to="/w/$workspace/triggers/$trigger" params={{ workspace, trigger }} className="mono">
      {trigger}
    </LinkText>
  )
}
