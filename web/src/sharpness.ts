// How finely a scene in space is drawn: as well as the screen can show it while it stands still, as well as the machine
// can in time while it moves. Without a graphics card each pixel and each triangle costs its share of a frame.

/** Pixels of the picture for one of the page, at which of the frames shadows are drawn anew, and the pixels between vertices of a mesh. */
export interface Quality {
  ratio: number;
  shadowsEvery: number;
  cell: number;
}

const moving: Quality[] = [
  { ratio: 1, shadowsEvery: 1, cell: 0 },
  { ratio: 1, shadowsEvery: 3, cell: 8 },
  { ratio: 0.75, shadowsEvery: 3, cell: 8 },
  { ratio: 0.5, shadowsEvery: 6, cell: 10 },
];
const late = 20;      // milliseconds from frame to frame, beside the 17 of a screen
const looks = 5;      // frames after which it is decided
const pause = 500;    // what takes longer is no frame, but a reader who looked at another page

export class Sharpness {
  private level: number;
  private last = -Infinity;
  private intervals: number[] = [];

  /** `software`: pixels are made by the processor, so that smooth edges are left for pictures that stand still. */
  constructor(private readonly software: boolean) {
    this.level = software ? 1 : 0;
  }

  still(screen: number): Quality {
    return { ratio: this.software ? Math.max(screen, 2) : screen, shadowsEvery: 1, cell: 0 };
  }

  /** Of the next frame of a motion, which is drawn at a time in milliseconds. */
  next(now: number, screen: number): Quality {
    const interval = now - this.last;
    this.last = now;
    if (interval < pause) this.intervals.push(interval);
    else {  // a motion begins: it may be quicker than the last one
      this.intervals = [];
      this.level = Math.max(this.software ? 1 : 0, this.level - 1);
    }
    if (this.intervals.length === looks) {
      const middle = this.intervals.sort((a, b) => a - b)[looks >> 1]!;
      this.intervals = [];
      if (middle > late) this.level = Math.min(this.level + 1, moving.length - 1);
    }
    const quality = moving[this.level]!;
    return { ...quality, ratio: this.software ? quality.ratio : quality.ratio * screen };
  }
}

/** Whether WebGL is drawn by the processor. */
export function drawsInSoftware(gl: WebGL2RenderingContext): boolean {
  const extension = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(extension ? extension.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
