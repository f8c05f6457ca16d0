import { Text } from '@mantine/core'
import { type DefinitionKind, stackLabel } from '@tocsin/contract'
import { LinkText } from '../components/links.tsx'
import { Notice } from '../components/notice.tsx'
import { useApiQuery } from '../data/queries.ts'

type StackNoticeProps = {
  workspace: string
  kind: DefinitionKind
  /** The fullname, or the key of a template or a subscription. */
  name: string | undefined
  labels: Readonly<Record<string, string>> | undefined
  /** The page can change the entity. */
  isEdited?: boolean
}

/** Shows that an entity belongs to a stack and what was changed since its last apply, and warns before an edit. */
export function StackNotice({ labels, name, ...rest }: StackNoticeProps) {
  const stack = labels?.[stackLabel]
  return stack === undefined || name === undefined ? null : <Managed stack={stack} name={name} {...rest} />
}

type ManagedProps = Omit<StackNoticeProps, 'labels' | 'name'> & { stack: string; name: string }

function Managed({ stack, workspace, kind, name, isEdited = false }: ManagedProps) {
  // A plan without entities shows only the drift.
  const { data } = useApiQuery('planStack', { fullname: workspace, body: { stack, entities: [] } })
  const drift = data?.drift.find((entity) => entity.kind === kind && entity.fullname === name)
  return (
    <Notice tone={isEdited || drift ? 'warn' : 'info'} title={`Managed by stack ${stack}`}>
      {isEdited && (
        <Text size="sm">
          The next apply of the stack overwrites what you change here. To keep a change, make it in the definitions of
          the stack.
        </Text>
      )}
      {drift && (
        <Text size="sm">
          Changed since the last apply: <span className="mono">{drift.diff.map(({ path }) => path).join(', ')}</span>
        </Text>
      )}
      <Text size="sm">
        <LinkText to="/w/$workspace/stacks/$stack" params={{ workspace, stack }}>
          Show the stack
        </LinkText>
      </Text>
    </Notice>
  )
}
