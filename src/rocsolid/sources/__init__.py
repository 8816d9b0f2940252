"""Where data come from and go to: data frames, Arrow files of sweeps, tables in files. One file a library."""
