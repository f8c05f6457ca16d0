import { EmptyState } from '../../../components/empty-state.tsx'
import { IconSource } from '../../../components/icons.tsx'
import { LinkButton } from '../../../components/links.tsx'
import { chainTitle } from '../../../data/chains.ts'
import { useWorkspace } from '../../../data/workspace.ts'

/** Shown when no source of the needed kinds is available. */
export function NoSource({ kinds }: { kinds: string[] }) {
  const { fullname: workspace } = useWorkspace()
  const names = kinds.map(chainTitle).join(' or ')
  return (
    <EmptyState
      icon={IconSource}
      title="Connect a network first"
      text={`This service follows no ${names} network yet. Create a source with the URL of a node.`}
    >
      <LinkButton to="/w/$workspace/sources/new" params={{ workspace }}>
        Create source
      </LinkButton>
    </EmptyState>
  )
}
