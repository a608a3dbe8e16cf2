import { spawn } from 'node:child_process';

// A Lab of the program, with the address that it printed: `startLab('build/asg', ['gpt2', '--data', 'moby-dick'])`.
export async function startLab(program, what) {
  const child = spawn(program, ['lab', ...what, '--no-open', '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  process.on('exit', () => child.kill('SIGKILL'));  // whatever went wrong here
  const address = await new Promise((resolve, reject) => {
    let said = '';
    const hear = (text) => {
      said += String(text);
      const found = said.match(/http:\/\/\S+(?=\s)/);
      if (found) resolve(found[0]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`asg lab ended with ${code}:\n${said}`)));
  });
  const end = () =>
    new Promise((resolve) => {
      if (child.exitCode !== null) resolve();
      child.on('exit', () => resolve());
      child.kill('SIGINT');
    });
  return { address, end };
}
