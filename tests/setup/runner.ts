import { inject, TestRunner } from 'vitest'
import { isBrowserTest } from './is-browser-test.ts'

type ImportSource = Parameters<TestRunner['importFile']>[1]

/** Skips the tests in a browser where none starts, unless one is required: then they run and fail. */
export default class SkippingRunner extends TestRunner {
  private readonly givenPattern = this.config.testNamePattern

  override importFile(filepath: string, source: ImportSource): unknown {
    // A file whose tests all miss the pattern is reported as skipped, and its hooks do not run.
    const isSkipped = isBrowserTest(filepath) && inject('browser').kind === 'missing' && !inject('isBrowserRequired')
    if (source === 'collect') this.config.testNamePattern = isSkipped ? matchesNothing : this.givenPattern
    return super.importFile(filepath, source)
  }
}

const matchesNothing = /(?!)/
