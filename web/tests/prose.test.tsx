import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Prose } from '../src/words/prose';

it('names between backticks are set as code, and markup stays text', () => {
  const { container } = render(<p><Prose text="with `norm_first` off, <b>not</b>" /></p>);
  expect(container.querySelector('code')?.textContent).toBe('norm_first');
  expect(container.textContent).toBe('with norm_first off, <b>not</b>');
  expect(container.querySelector('b')).toBeNull();
});
