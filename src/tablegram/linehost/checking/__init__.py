"""Tries any host against the protocol: starts its command, plays the gateway, and tells what it does wrong.

peer.py        a host that is tried: started, spoken with, and every frame of it looked at
frames.py      what a frame must be
alone.py       what every host must do, whatever network it has
rehearsed.py   what it must do with messages, for hosts that can rehearse
trial.py       all of it in order, and what came of it
"""
