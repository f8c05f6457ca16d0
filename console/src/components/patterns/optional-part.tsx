import { Component, type ReactNode, Suspense } from 'react'

type OptionalPartProps = {
  children: ReactNode
  /** Shown until the part is loaded. */
  fallback?: ReactNode
  /** Shown if the part cannot be loaded. */
  instead?: ReactNode
  onFailure?: () => void
}

/** A part of a page with a file of its own. If the file cannot be loaded, the rest of the page still works. */
export class OptionalPart extends Component<OptionalPartProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch() {
    this.props.onFailure?.()
  }

  override render() {
    const { children, fallback, instead } = this.props
    return this.state.hasFailed ? instead : <Suspense fallback={fallback}>{children}</Suspense>
  }
}
