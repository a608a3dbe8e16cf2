import { colour } from './plot';

export function download(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

const HEAD = 24;

// A chart as a picture that can stand alone: on the ground of the page, with its title and the names of its curves.
export function downloadPng(name: string, source: HTMLCanvasElement, title: string, curves: readonly { label: string; colour: string }[]): void {
  const scale = window.devicePixelRatio;
  const canvas = document.createElement('canvas');
  canvas.width = source.width;
  canvas.height = source.height + HEAD * scale;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = colour('--surface');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, HEAD * scale);
  context.scale(scale, scale);
  let at = 10;
  const write = (text: string, font: string, ink: string) => {
    context.font = `${font} 12px system-ui, sans-serif`;
    context.fillStyle = ink;
    context.fillText(text, at, 16);
    at += context.measureText(text).width + 14;
  };
  write(title, '600', colour('--text'));
  if (curves.length > 1) curves.forEach((curve) => write(curve.label, '400', curve.colour));
  canvas.toBlob((blob) => blob && download(name, blob));
}
